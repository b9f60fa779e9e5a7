import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { schemaFolder } from "../../../../generator/shared/sources/schema-folder.js";
import { pinOf, type VendorPins } from "../../../../generator/commands/vendor/vendor-pin.js";

/** Stands for a published file: it says what ours says, in other words. The published ones are not ours to keep. */
export function officialText(revision: string): string {
  const ours = readFileSync(join(schemaFolder(), revision, "schema.ts"), "utf8");
  return ours.replaceAll("/**", "/**\n * The words of the specification's authors.\n *");
}

export const commit = "c".repeat(40);

/** Pins as they would be if this text had been published. */
export function pinsOf(revision: string, text = officialText(revision)): VendorPins {
  return { [revision]: pinOf(text, readTypeScript(text, "schema.ts"), commit) };
}

/** Replaces what is there exactly once. */
export function edit(text: string, ...edits: readonly (readonly [before: string, after: string])[]): string {
  return edits.reduce((edited, [before, after]) => {
    expect(edited.split(before), before).toHaveLength(2);
    return edited.replace(before, () => after);
  }, text);
}

/** A fictitious successor of 2026-07-28 with two new methods and a new capability. */
export const unseen = "2027-03-01";
export const unseenText =
  edit(
    officialText("2026-07-28").replaceAll('"2026-07-28"', `"${unseen}"`),
    ["export type ClientRequest =\n", "export type ClientRequest =\n  | ListGreetingsRequest\n  | GreetRequest\n"],
    ["export interface ServerCapabilities {\n", "export interface ServerCapabilities {\n  greetings?: {};\n"],
  ) +
  `
export interface GreetRequest extends JSONRPCRequest {
  method: "greetings/greet";
  params: GreetRequestParams;
}

export interface GreetRequestParams extends RequestParams {
  whom: string;
}

export interface GreetResult extends Result {
  words: string;
}

export interface ListGreetingsRequest extends JSONRPCRequest {
  method: "greetings/list";
  params: RequestParams;
}

export interface ListGreetingsResult extends Result {
  greetings: string[];
}
`;

/** A server on this machine; its URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A local URL on which no server listens. */
export async function unreachable(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
