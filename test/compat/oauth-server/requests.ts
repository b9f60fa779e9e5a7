import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export type Form = Readonly<Record<string, string | readonly string[]>>;

export interface Step {
  readonly method?: string;
  readonly path: string;
  readonly form?: Form;
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const open = new Set<Server>();
afterEach(() => {
  for (const server of open) server.close();
  open.clear();
});

/** Listens until the test ends. Returns the URL without a path. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.add(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The headers that mean something to clients. */
const compared = [
  "access-control-allow-headers",
  "access-control-allow-origin",
  "allow",
  "content-type",
  "location",
  "ratelimit-limit",
  "ratelimit-policy",
  "retry-after",
  "www-authenticate",
];

export async function send(base: string, { path, method, form, json, text, headers }: Step): Promise<Answer> {
  const [type, body] =
    json === undefined
      ? ["application/x-www-form-urlencoded", form && encode(form)]
      : ["application/json", JSON.stringify(json)];
  const content = text ?? body;
  const response = await fetch(`${base}${path}`, {
    method: method ?? (content === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: { ...(content !== undefined && { "content-type": type }), ...headers },
    ...(content !== undefined && { body: content }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(
      compared.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
    body: withoutChance(await response.text()),
  };
}

export function encode(form: Form): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) for (const one of [value].flat()) params.append(name, one);
  return params.toString();
}

/** Replaces generated ids, secrets and times. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[\da-f]{64}/g, "SECRET")
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replaceAll(/\b1[789]\d{8}\b/g, "TIME");
}
