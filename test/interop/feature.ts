import type { Driver, ToolResult } from "./driver.js";
import type { Target } from "./target.js";

export interface Feature {
  readonly name: string;
  /** The first revision that has it. Default: all have. */
  readonly since?: string;
  /** The last revision that has it. */
  readonly until?: string;
  /** Where it can be. Default: everywhere. */
  readonly transports?: readonly Target["transport"][];
  /** @throws Error that says what is wrong */
  readonly tryIt: (driver: Driver, target: Target) => Promise<void>;
}

/** How long something that was sent may be on its way, in milliseconds. */
export const patienceMs = 2_500;

export class Failure extends Error {}

export function expect(what: string, isSo: boolean, found: unknown): void {
  if (!isSo) throw new Failure(`${what}: ${JSON.stringify(found)}`);
}

export function same(what: string, found: unknown, expected: unknown): void {
  expect(`${what} is not ${JSON.stringify(expected)} but`, JSON.stringify(found) === JSON.stringify(expected), found);
}

/** The text that a tool gave. @throws Failure with that text, when it tells of an error */
export function textOf(result: ToolResult): string {
  const text = result.content.map((part) => part.text ?? "").join("\n");
  if (result.isError) throw new Failure(text);
  return text;
}

/** What came instead of a result. */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { readonly code?: unknown }> {
  const outcome = await promise.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ("result" in outcome) throw new Failure(`no error came but ${JSON.stringify(outcome.result)}`);
  return outcome.error as Error;
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  otherwise: () => string | Promise<string>,
): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(20)) if (await isSo()) return;
  throw new Failure(`not within ${patienceMs} ms: ${await otherwise()}`);
}

/** @throws Failure when the server does not say that it has something */
export function declared(driver: Driver, ...path: readonly string[]): void {
  let at: unknown = driver.capabilities;
  for (const name of path) at = (at as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (at === undefined || at === false)
    throw new Failure(`it does not declare ${path.join(".")} but ${JSON.stringify(driver.capabilities)}`);
}

/** What a server says of a stream on which it would tell of things by itself. */
export async function streamOf({ url }: Target): Promise<string> {
  if (url === undefined) return "stdio has one stream for everything";
  const response = await fetch(url, {
    headers: { accept: "text/event-stream" },
    signal: AbortSignal.timeout(patienceMs),
  });
  const body = response.status === 200 ? "" : await response.text();
  if (response.status === 200) await response.body?.cancel();
  return `it answers a GET without a session with ${response.status} ${body}`.trimEnd();
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
