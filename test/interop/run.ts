import { writeFileSync } from "node:fs";
import type { Driver, Open } from "./driver.js";
import { type Feature, Failure } from "./feature.js";
import type { Outcome, Target } from "./target.js";

/** How long one feature may take by default, in milliseconds. */
const patienceMs = 6_000;
/** How long the start of a server may take, in milliseconds. */
const startMs = 30_000;

/** Tries the features that the target's revision and transport have, and prints the outcomes. */
export async function run(open: Open, features: readonly Feature[], target: Target): Promise<never> {
  const some = features.filter(
    ({ since = "", until = "9", transports }) =>
      since <= target.revision && target.revision <= until && (transports?.includes(target.transport) ?? true),
  );
  writeFileSync(1, JSON.stringify(await tryFeatures(open, some, target)));
  process.exit(0);
}

/** Connects and tries the features that the client has, one after the other. */
export async function tryFeatures(
  open: Open,
  features: readonly Feature[],
  target: Target,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let driver: Driver | undefined;
  let broken: string | undefined;
  try {
    driver = await within(open(target), startMs);
  } catch (error) {
    broken = `cannot connect: ${said(error)}`;
  }
  for (const { name, needs, tryIt } of features) {
    if (driver && needs && driver[needs] === undefined) continue;
    if (driver === undefined) outcomes.push({ feature: name, problem: broken ?? "" });
    else
      outcomes.push(
        await within(tryIt(driver, target), target.patienceMs).then(
          () => ({ feature: name }),
          (error: unknown) => ({
            feature: name,
            problem: [said(error), driver?.evidence()].filter(Boolean).join("; "),
          }),
        ),
      );
  }
  await within(driver?.close() ?? Promise.resolve(), target.patienceMs).catch((error: unknown) =>
    outcomes.push({ feature: "closing", problem: said(error) }),
  );
  return outcomes;
}

export function targetOf(argument: string | undefined): Target {
  return JSON.parse(argument ?? "") as Target;
}

export function within<T>(promise: Promise<T>, ms = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Failure(`timed out after ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export function said(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return [`${String(error)}${code === undefined ? "" : ` (${String(code)})`}`, ...(cause ? [said(cause)] : [])].join(
    "; caused by ",
  );
}
