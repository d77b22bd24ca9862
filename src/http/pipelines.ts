/** A connection is answered one request at a time: what a client has sent ahead waits its turn, in bounded number. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { IdleConnections } from './idle.ts';

/** Of one connection; a client that is told so after its tenth sends the rest again. */
const AHEAD_OF_ONE = 10;
/**
 * Of all connections together, beside one for each: when they end, Node takes 0.1 ms to drop each request that waits, all of
 * them at once.
 */
const AHEAD_OF_ALL = 1000;
/** Tells Node's parser that what follows is not HTTP: the rest of what was read is left alone. */
const STOP = 2;
/** For a client to take what is said to it last, which is less than a kilobyte. */
const LAST_WORDS_MS = 10_000;

interface Line {
  /** The request that is being answered. */
  request: IncomingMessage;
  waiting: [IncomingMessage, ServerResponse][];
  /** The answer that was begun or waits last. */
  last: ServerResponse;
  /** What is to be sent after all answers, before the connection is closed. */
  lastWords?: string;
}

export interface TurnsOptions {
  aheadOfAll?: number | undefined;
  /** Told which connections have nothing to be answered, and which have. */
  idle?: IdleConnections;
}

export interface Turns {
  /** The connections that have an answer in hand. */
  busy: Pick<ReadonlyMap<Socket, unknown>, 'keys'>;
  /** Reads no more of a connection whose client has sent what is no request: it ends with these words, after the answers it is owed. */
  endAfterAnswers(socket: Socket, lastWords: string): void;
}

/** Connections whose rest is not read: whatever of it Node still comes across is nobody's request. */
const stopped = new WeakSet<Socket>();

export const isStopped = (socket: Socket) => stopped.has(socket);

/** The client asks for the connection to become something else. */
type Incoming = IncomingMessage & { upgrade?: boolean };

/** What Node knows of a socket: the head of each request is handed over here. */
interface Parsed {
  parser: { onIncoming(request: Incoming, keepAlive: boolean): number };
}

/** As Node does where nobody listens for upgrades: it would give up a connection that is to become something else. */
function stop(request: Incoming): number {
  request.upgrade = false;
  return STOP;
}

function endWith(socket: Socket, lastWords: string): void {
  socket.setTimeout(LAST_WORDS_MS);
  socket.end(lastWords);
  socket.destroySoon();
}

/** At most one answer of a connection is in memory: the next is begun when all of the one before has left us. */
export function answerInTurn(server: Server, { aheadOfAll = AHEAD_OF_ALL, idle }: TurnsOptions = {}): Turns {
  const lines = new Map<Socket, Line>();
  const [answer] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  if (!answer) throw new Error('nobody answers the requests of this server yet');
  let ahead = 0;

  function begin(socket: Socket, line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.request = request;
    idle?.begin(socket, request);
    // It closes once; a listener that removes itself costs more.
    response.on('close', () => {
      const next = socket.writable ? line.waiting.shift() : undefined;
      ahead -= next ? 1 : line.waiting.length;
      if (next) begin(socket, line, ...next);
      else {
        lines.delete(socket);
        if (!isStopped(socket)) idle?.end(socket);
        else if (line.lastWords !== undefined && socket.writable) endWith(socket, line.lastWords);
        else socket.destroySoon();
      }
    });
    answer?.call(server, request, response);
  }

  function endAfterAnswers(socket: Socket, lastWords: string): void {
    stopped.add(socket);
    socket.pause();
    const line = lines.get(socket);
    // What came last may be what is broken: of that the client is told by the last words.
    if (line?.waiting.at(-1)?.[0].complete === false) {
      line.waiting.pop();
      ahead--;
    }
    const isOwed = line && (line.request.complete || line.last.headersSent);
    if (isOwed) line.lastWords = lastWords;
    else endWith(socket, lastWords);
  }

  // One read from a socket has up to 2,500 requests in it, and Node would make objects of all of them at once, for which
  // twelve connections stopped the process for 0.8 s. To hold back the socket comes too late: the parser is stopped.
  server.on('connection', (socket: Socket) => {
    const { parser } = socket as unknown as Parsed;
    const { onIncoming } = parser;
    parser.onIncoming = (request, keepAlive) => {
      // Node may read on by itself, for the sake of a body that waits.
      if (isStopped(socket)) return stop(request);
      const line = lines.get(socket);
      const most = ahead < aheadOfAll ? AHEAD_OF_ONE : 1;
      // Node would give up the connection, with all that is owed on it.
      const isTunnel = request.method === 'CONNECT';
      // Node's parser drops what was read together with a request for an upgrade: no answer after its own would be the right one.
      if (!line || (line.waiting.length < most && !isTunnel)) return onIncoming(request, keepAlive && !request.upgrade);
      stopped.add(socket);
      if (!line.last.headersSent) line.last.setHeader('connection', 'close');
      socket.pause();
      return stop(request);
    };
  });

  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // Its last answer was given: nobody would hear of this one.
    if (!socket.writable) return;
    const line = lines.get(socket);
    if (line) {
      ahead++;
      line.waiting.push([request, response]);
      line.last = response;
      return;
    }
    const first: Line = { request, waiting: [], last: response };
    lines.set(socket, first);
    begin(socket, first, request, response);
  });
  return { busy: lines, endAfterAnswers };
}
