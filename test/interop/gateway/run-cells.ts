import { writeFileSync } from "node:fs";
import type { Open } from "../driver.js";
import { type Feature, setMessageMs } from "../feature.js";
import { said, tryFeatures, within } from "../run.js";
import type { Outcome } from "../target.js";
import type { CellTarget } from "./cell-target.js";
import { gatewaySuites } from "./features.js";
import { serverName } from "./gateway-target.js";
import { prefixed } from "./prefixed.js";

/** How long all features of a gateway may take, in milliseconds. */
const cellMs = 300_000;

/** How long a message can take to arrive, in milliseconds: the first one starts the server, on a machine that may be busy. */
const messageMs = 30_000;
/** The same where none is expected. */
const lostMessageMs = 2_500;

/** Tries the features of each gateway, one gateway after the other, and prints the outcomes in the order of the targets. */
export async function runCells(open: Open, targets: readonly CellTarget[]): Promise<never> {
  const all: (readonly Outcome[])[] = [];
  for (const target of targets) {
    const opened: Open = async (one) => prefixed(await open(one), `${serverName}_`);
    const features = gatewaySuites[target.suite]
      .filter((feature) => isThere(feature, target))
      .map((feature) => withMessageMs(feature, target.lost.includes(feature.name) ? lostMessageMs : messageMs));
    all.push(await within(tryFeatures(opened, features, target), cellMs).catch(failed));
  }
  writeFileSync(1, JSON.stringify(all));
  process.exit(0);
}

export function targetsOf(argument: string | undefined): readonly CellTarget[] {
  return JSON.parse(argument ?? "") as readonly CellTarget[];
}

function withMessageMs(feature: Feature, ms: number): Feature {
  return {
    ...feature,
    tryIt(driver, target) {
      setMessageMs(ms);
      return feature.tryIt(driver, target);
    },
  };
}

/** Whether the server has a feature, or, for features of single transports and those that end, the client. */
function isThere({ since = "", until, transports }: Feature, target: CellTarget): boolean {
  const { revision, serverRevision, transport } = target;
  if (transports) return transports.includes(transport) && since <= revision;
  return since <= serverRevision && (until === undefined || revision <= until);
}

function failed(error: unknown): readonly Outcome[] {
  return [{ feature: "opening", problem: said(error) }];
}
