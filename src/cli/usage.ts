/** Every command explains itself when asked to with --help or -h: on stdout, before it opens or starts anything. */

/** Whether that was asked for; then it is done. */
export function toldUsage(usage: string, args: string[] = process.argv.slice(2)): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false;
  process.stdout.write(`${usage.trimEnd()}\n`);
  return true;
}
