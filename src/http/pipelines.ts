/** A connection is answered one request at a time: what a client has sent ahead waits its turn, in bounded number. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Of one connection; a client that is told so after its hundredth sends the rest again. One read from a socket has up to
 * 2,500 requests in it, and Node hands all of them over at once: holding back the socket would come too late.
 */
const AHEAD_OF_ONE = 100;
/** Of all connections together: each takes 3 KB. */
const AHEAD_OF_ALL = 20_000;

interface Line {
  waiting: [IncomingMessage, ServerResponse][];
  /** Those too that came after the last that waits, and are never answered. */
  ahead: number;
}

/**
 * At most one answer of a connection is in memory: the next is begun when all of the one before has left us. Returns the
 * connections that have an answer in hand.
 */
export function answerInTurn(server: Server, aheadOfAll = AHEAD_OF_ALL): Pick<ReadonlyMap<Socket, unknown>, 'keys'> {
  const lines = new Map<Socket, Line>();
  const [answer] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  if (!answer) throw new Error('nobody answers the requests of this server yet');
  let ahead = 0;

  function begin(socket: Socket, line: Line, request: IncomingMessage, response: ServerResponse): void {
    // It closes once; a listener that removes itself costs more.
    response.on('close', () => {
      const next = socket.writable ? line.waiting.shift() : undefined;
      const left = next ? 1 : line.ahead;
      line.ahead -= left;
      ahead -= left;
      if (next) begin(socket, line, ...next);
      else lines.delete(socket);
    });
    answer?.call(server, request, response);
  }

  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // Its last answer was given: nobody would hear of this one.
    if (!socket.writable) return;
    const line = lines.get(socket);
    if (!line) {
      const first: Line = { waiting: [], ahead: 0 };
      lines.set(socket, first);
      begin(socket, first, request, response);
      return;
    }
    line.ahead++;
    ahead++;
    if (ahead > aheadOfAll) {
      const [longest, gone] = longestOf(lines);
      longest.destroy();
      // At once, or all that is read before it has closed would be one too many again.
      ahead -= gone.ahead;
      gone.ahead = 0;
      lines.delete(longest);
      if (longest === socket) return;
    }
    if (line.waiting.length < AHEAD_OF_ONE) line.waiting.push([request, response]);
    else {
      line.waiting.at(-1)?.[1].setHeader('connection', 'close');
      socket.pause();
    }
  });
  return lines;
}

/** The connection on which most waits: whoever sends the one that is too many need not be the one who sends many. */
function longestOf(lines: ReadonlyMap<Socket, Line>): [Socket, Line] {
  return [...lines].reduce((longest, line) => (line[1].ahead > longest[1].ahead ? line : longest));
}
