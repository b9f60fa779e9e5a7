import type { Stage } from "../stage.js";
import { type GatewayCell, isFailure } from "./judge.js";
import { checkMatrix, writeMatrix } from "./page.js";
import { clients, pairName, servers } from "./sides.js";
import { tryGateways } from "./try-cells.js";

/**
 * Tries every client with every server through gateways, prints the result, and writes the page or compares it.
 * @param wanted parts of the names of pairs: only pairs that have all are tried, and the page is left alone
 * @returns whether all is as documented
 */
export async function runMatrix(stage: Stage, isWriting: boolean, wanted: readonly string[] = []): Promise<boolean> {
  const start = performance.now();
  const pairs = servers.flatMap((server) => {
    const those = clients.filter((client) => wanted.every((part) => pairName(client, server).includes(part)));
    return those.length > 0 ? [{ server, clients: those }] : [];
  });
  if (pairs.length === 0) throw new Error(`no client and server match ${wanted.join(", ")}`);
  const cells = await tryGateways(pairs, stage);
  const failures = cells.filter(isFailure);
  for (const cell of failures) console.log(failureOf(cell));
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const losses = cells.filter(({ loss }) => loss).length;
  console.log(
    `\nThrough gateways: ${cells.length} cells: ${cells.length - losses - failures.length} pass, ${losses} documented losses, ` +
      `${failures.length} fail; ${seconds} s`,
  );
  if (failures.length > 0) return false;
  if (wanted.length > 0) return true;
  if (isWriting) await writeMatrix(cells);
  else if (!(await checkMatrix(cells))) {
    console.log("\ndocs/gateway-matrix.md does not match these results: run npm run interop -- gateway --write");
    return false;
  }
  return true;
}

function failureOf({ client, server, feature, problem = "" }: GatewayCell): string {
  return `FAILED ${pairName(client, server)}: ${feature}\n  ${problem}`;
}
