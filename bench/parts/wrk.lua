-- Sends the prepared bodies in turn, each for the next of the tenants. Where a body has the mark, it gets a key of its own
-- instead, which is as long: the rest of the request is made once, so that a key costs the generator next to nothing.
local heads, tails = {}, {}
local mark, prefix = os.getenv('KEY_MARK'), os.getenv('KEY_PREFIX')
local at, count = 0, 0

function init()
  local tenants = {}
  for id in string.gmatch(os.getenv('TENANTS'), '[^,]+') do tenants[#tenants + 1] = id end
  for body in io.lines(os.getenv('BODIES')) do
    local headers = { ['Content-Type'] = 'application/json', ['X-Tenant-ID'] = tenants[#heads % #tenants + 1] }
    local request = wrk.format('POST', '/api/ingest', headers, body)
    local from, to
    if mark then from, to = string.find(request, mark, 1, true) end
    heads[#heads + 1] = from and string.sub(request, 1, from - 1) or request
    tails[#tails + 1] = from and string.sub(request, to + 1) or false
  end
end

function request()
  at = at % #heads + 1
  if not tails[at] then return heads[at] end
  count = count + 1
  return heads[at] .. prefix .. string.format('%010d', count) .. tails[at]
end

function done(summary)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format('RESULT %d %d %d\n', summary.requests, summary.duration, failed))
end
