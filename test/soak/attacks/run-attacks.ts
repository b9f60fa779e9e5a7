import { Attacker } from "./attacker.js";
import { type Attack, attacks } from "./attacks.js";
import { TargetProcess } from "./target-process.js";

/** The heap after an attack, relative to the heap before it. */
const mostGrowth = 1.05;
/** An honest call during an attack must be answered within this time, in milliseconds. */
const honestMs = 20_000;

/**
 * Attacks one server, attack by attack. Each attack runs twice: the first time, the server allocates code and tables that it
 * keeps. After the second time, the heap must be as large as before, within 5 %.
 * @param say called with a line about each attack
 * @returns the violations
 */
export async function runAttacks(program: string, say: (line: string) => void): Promise<readonly string[]> {
  const violations: string[] = [];
  const target = await TargetProcess.start(program);
  try {
    for (const attack of attacks) {
      const start = performance.now();
      try {
        await play(target, attack);
        const before = (await target.released()).heapBytes;
        await play(target, attack);
        const after = (await target.released()).heapBytes;
        const seconds = ((performance.now() - start) / 1_000).toFixed(1);
        say(`${attack.name}: ${mib(before)} -> ${mib(after)} in ${seconds} s`);
        if (after > before * mostGrowth)
          violations.push(`${attack.name}: the heap grew from ${before} to ${after} bytes`);
      } catch (error) {
        violations.push(`${attack.name}: ${(error as Error).message}`);
        if (!target.isRunning) break;
      }
    }
  } finally {
    await target.close();
  }
  return violations;
}

/** Runs an attack while an honest client calls a tool. */
async function play(target: TargetProcess, attack: Attack): Promise<void> {
  const attacker = new Attacker(target.port);
  const honest = new Attacker(target.port);
  try {
    const attacking = attack.run(attacker);
    const start = performance.now();
    const response = await honest.post(honest.call("echo"));
    const ms = performance.now() - start;
    await attacking;
    if (response.status !== 200) throw new Error(`an honest call got status ${response.status}`);
    if (ms > honestMs) throw new Error(`an honest call took ${ms.toFixed(0)} ms`);
  } finally {
    attacker.closeAll();
  }
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}
