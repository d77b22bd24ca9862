// The steps of a section of the gate: a line for each, and what was printed meanwhile when one fails.
let failed = 0;

export const failures = () => failed;

/** Runs a step and says how it ended. `context` gives what helps to understand a failure, such as a service's output. */
export async function step(name, work, context = () => '') {
  const started = Date.now();
  try {
    const note = await work();
    process.stdout.write(`✓ ${name} (${((Date.now() - started) / 1000).toFixed(1)} s${note ? `, ${note}` : ''})\n`);
  } catch (error) {
    failed++;
    process.stdout.write(`✗ ${name}: ${error.message}\n${context()}\n`);
  }
}
