import type { Driver, ToolResult } from "./driver.js";
import type { Target } from "./target.js";

export interface Feature {
  readonly name: string;
  /** The first revision that has it. Default: all have. */
  readonly since?: string;
  /** The last revision that has it. */
  readonly until?: string;
  /** The transports that have it. Default: all. */
  readonly transports?: readonly Target["transport"][];
  /** The operation of clients without which it is not tried. */
  readonly needs?: keyof Driver;
  /** @throws Error that describes the problem */
  readonly tryIt: (driver: Driver, target: Target) => Promise<void>;
}

/** How long a message can take to arrive, in milliseconds. */
let messageMs = 2_500;

/** Changes how long features wait for a message, 2,500 ms by default. */
export function setMessageMs(ms: number): void {
  messageMs = ms;
}

export class Failure extends Error {}

export function expect(what: string, isSo: boolean, found: unknown): void {
  if (!isSo) throw new Failure(`${what}: ${JSON.stringify(found)}`);
}

export function same(what: string, found: unknown, expected: unknown): void {
  expect(`${what} is not ${JSON.stringify(expected)} but`, JSON.stringify(found) === JSON.stringify(expected), found);
}

/** The text of a tool's result. @throws Failure with that text if the result is an error */
export function textOf(result: ToolResult): string {
  const text = result.content.map((part) => part.text ?? "").join("\n");
  if (result.isError) throw new Failure(text);
  return text;
}

/** The error that a call rejects with. @throws Failure if it succeeds */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { readonly code?: unknown }> {
  const outcome = await promise.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ("result" in outcome) throw new Failure(`expected an error, received ${JSON.stringify(outcome.result)}`);
  return outcome.error as Error;
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  otherwise: () => string | Promise<string>,
): Promise<void> {
  for (const end = performance.now() + messageMs; performance.now() < end; await sleep(20)) if (await isSo()) return;
  throw new Failure(`timed out after ${messageMs} ms: ${await otherwise()}`);
}

/** @throws Failure if the server does not declare the capability */
export function declared(driver: Driver, ...path: readonly string[]): void {
  let at: unknown = driver.capabilities;
  for (const name of path) at = (at as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (at === undefined || at === false)
    throw new Failure(`it does not declare ${path.join(".")} but ${JSON.stringify(driver.capabilities)}`);
}

/** The server's response to a GET request, which opens the stream for its own messages. */
export async function streamOf({ url }: Target): Promise<string> {
  if (url === undefined) return "stdio has one stream for everything";
  const response = await fetch(url, {
    headers: { accept: "text/event-stream" },
    signal: AbortSignal.timeout(messageMs),
  });
  const body = response.status === 200 ? "" : await response.text();
  if (response.status === 200) await response.body?.cancel();
  return `it answers a GET without a session with ${response.status} ${body}`.trimEnd();
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
