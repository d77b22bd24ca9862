// The README as a newcomer reads it: commands, and what is shown below them. `…` stands for what differs each time, and on a
// line of its own for any number of lines.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Each block of commands, with the lines that the README shows for it, or null. */
export function readBlocks(file) {
  const blocks = [];
  for (const [, kind, content] of readFileSync(file, 'utf8').matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)) {
    if (kind === 'sh') blocks.push({ commands: content.trim(), shown: null });
    else if (blocks.at(-1)?.shown !== null) throw new Error(`${file}: a block of output has no commands before it`);
    else blocks.at(-1).shown = content.trimEnd().split('\n');
  }
  return blocks;
}

/** Null when the lines are those that are shown, or else what is not so. */
export function compare(shown, seen) {
  const lines = stripVTControlCharacters(seen)
    .replaceAll('\r', '')
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  let at = 0;
  let anything = false;
  for (const line of shown.map((line) => line.trimEnd())) {
    if (line === '…') {
      anything = true;
      continue;
    }
    const found = lines.findIndex((candidate, index) => index >= at && fits(line, candidate));
    if (found < 0 || (!anything && found !== at)) return `is shown: ${line}\nwas seen: ${lines.slice(at).join('\n')}`;
    at = found + 1;
    anything = false;
  }
  return anything || at === lines.length ? null : `was seen and is not shown: ${lines.slice(at).join('\n')}`;
}

function fits(line, candidate) {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(candidate);
}

/** A shell in which blocks are typed one after another: what one sets, the next has. */
export class Shell {
  // Both streams are one, as on a terminal, so that the order of lines is what a person sees.
  #bash = spawn('bash', ['-euo', 'pipefail', '-c', 'exec bash -euo pipefail 2>&1'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own, so that what hangs in a block ends with it.
    detached: true,
  });
  #seen = '';
  #ended = false;

  constructor() {
    this.#bash.stdout.setEncoding('utf8').on('data', (text) => {
      this.#seen += text;
    });
    this.#bash.once('close', () => {
      this.#ended = true;
    });
    // A block that fails ends the shell; what is typed after that goes nowhere.
    this.#bash.stdin.on('error', () => {});
  }

  /** What is seen on the screen until the block is done; rejects when one of its commands fails. */
  async type(commands, withinMs = 60_000) {
    const done = `done ${Math.random()}`;
    this.#seen = '';
    this.#bash.stdin.write(`${commands}\necho '${done}'\n`);
    const deadline = Date.now() + withinMs;
    while (!this.#seen.includes(done)) {
      if (this.#ended) throw new Error(`it failed: ${commands}\n${this.#seen}`);
      if (Date.now() > deadline) throw new Error(`it has not ended: ${commands}\n${this.#seen}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this.#seen.replace(new RegExp(`${done}\n$`), '');
  }

  close() {
    if (!this.#ended) process.kill(-this.#bash.pid, 'SIGKILL');
  }
}
