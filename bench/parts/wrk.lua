-- Sends the prepared bodies in turn, each for the next of the tenants.
local requests = {}
local at = 0

function init()
  local tenants = {}
  for id in string.gmatch(os.getenv('TENANTS'), '[^,]+') do tenants[#tenants + 1] = id end
  for body in io.lines(os.getenv('BODIES')) do
    local headers = { ['Content-Type'] = 'application/json', ['X-Tenant-ID'] = tenants[#requests % #tenants + 1] }
    requests[#requests + 1] = wrk.format('POST', '/api/ingest', headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format('RESULT %d %d %d\n', summary.requests, summary.duration, failed))
end
