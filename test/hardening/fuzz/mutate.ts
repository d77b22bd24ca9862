/** What is done to a request that was right: to its body, its bytes, its headers, its address, its method. */
import { changeAddress, changeMethod } from './change-address.ts';
import { changeBytes, changeValue } from './change-body.ts';
import { changeHeaders } from './change-headers.ts';
import type { Random } from './random.ts';
import type { FuzzRequest } from './request.ts';

export function mutate(request: FuzzRequest, random: Random): void {
  const ways = [changeAddress, changeHeaders, changeMethod];
  // What is inside the body is where most of the contract is.
  if (request.body) ways.push(changeValue, changeValue, changeValue, changeValue, changeBytes);
  if (request.query.length > 0) ways.push(changeAddress);
  const times = random.is(0.15) ? 2 : 1;
  for (let n = 0; n < times; n++) random.pick(ways)(request, random);
}
