/** How far a command has come, for whoever watches it; what is shown of it is not for this room to say. */
export interface Progress {
  /** From here on it does this, with about so many bytes to come if that is known. */
  begin(what: string, total: number | null): void;
  reached(bytes: number): void;
  /** A number of bytes in words. */
  size(bytes: number): string;
}
