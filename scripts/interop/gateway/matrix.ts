import type { Stage } from "../stage.js";
import { type GatewayCell, isFailure } from "./judge.js";
import { checkMatrix, writeMatrix } from "./page.js";
import { transportTitles } from "./sides.js";
import { tryGateways } from "./try-cells.js";

/**
 * Tries every client with every server through gateways, prints the result, and writes the page or compares it.
 * @returns whether all is as documented
 */
export async function runMatrix(stage: Stage, isWriting: boolean): Promise<boolean> {
  const start = performance.now();
  const cells = await tryGateways(stage);
  const failures = cells.filter(isFailure);
  for (const cell of failures) console.log(failureOf(cell));
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const losses = cells.filter(({ loss }) => loss).length;
  console.log(
    `\nThrough gateways: ${cells.length} cells: ${cells.length - losses - failures.length} pass, ${losses} documented losses, ` +
      `${failures.length} fail; ${seconds} s`,
  );
  if (failures.length > 0) return false;
  if (isWriting) await writeMatrix(cells);
  else if (!(await checkMatrix(cells))) {
    console.log("\ndocs/gateway-matrix.md does not match these results: run npm run interop -- gateway --write");
    return false;
  }
  return true;
}

function failureOf({ client, server, feature, problem = "" }: GatewayCell): string {
  const sides = [client, server].map(({ name, transport }) => `${name} over ${transportTitles[transport]}`);
  return `FAILED ${sides.join(" to ")}: ${feature}\n  ${problem}`;
}
