/** Text for a terminal: colours where they are shown, and nothing in it that moves the cursor. */
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];
export type Painter = (style: Style, text: string) => string;

/** Whether there is a terminal that shows colours and nobody asked for none: `NO_COLOR` counts, `TERM=dumb` too. */
export const showsColours = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && stream.hasColors();

export const painter =
  (colours: boolean): Painter =>
  (style, text) =>
    colours ? styleText(style, text, { validateStream: false }) : text;

/** Quotes a value where it would run into its neighbours. */
export function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const isOneWord = typeof value !== 'string' || /^[^\s"=]+$/.test(value);
  return harmless(isOneWord ? text : JSON.stringify(value));
}

/** Tenants choose names: none may move the cursor of an operator, or turn a line around. */
export const harmless = (text: string) =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** The same for JSON, which then says the same as before: besides blanks, only its strings hold such characters. */
export const harmlessJson = (json: string) =>
  json.replaceAll(/(?![\t\n\r])[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    // A character outside of the first plane is two escapes in JSON.
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
