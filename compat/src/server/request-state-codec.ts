import type { ServerContext } from "../shared/contexts.js";

export interface RequestStateCodecOptions {
  /** At least 32 bytes; the same in all processes that serve the same clients. */
  key: Uint8Array | string;
  /** Seconds after which a state expires. Default: `600`. */
  ttlSeconds?: number;
  /** Returns what a state belongs to, such as the user; a state is valid only there. */
  bind?: (ctx: ServerContext) => string;
}

/** Signs states, which clients return with their next request. They can read them. */
export interface RequestStateCodec<T = unknown> {
  mint(payload: T, ctx?: ServerContext): Promise<string>;
  /** @throws Error when the state was changed, has expired or belongs to another binding */
  verify(state: string, ctx: ServerContext): Promise<T>;
}

const prefix = "v1.";
const algorithm = { name: "HMAC", hash: "SHA-256" };
const encoder = new TextEncoder();

interface Envelope {
  readonly p: unknown;
  readonly exp: number;
  readonly b?: string;
}

/** @throws RangeError for a key of less than 32 bytes */
export function createRequestStateCodec<T = unknown>(options: RequestStateCodecOptions): RequestStateCodec<T> {
  const { ttlSeconds = 600, bind } = options;
  const bytes = typeof options.key === "string" ? encoder.encode(options.key) : Uint8Array.from(options.key);
  if (bytes.byteLength < 32)
    throw new RangeError(`createRequestStateCodec: key must be at least 32 bytes (got ${bytes.byteLength})`);
  if (!Number.isFinite(ttlSeconds)) throw new RangeError("createRequestStateCodec: ttlSeconds must be a finite number");
  let imported: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> =>
    (imported ??= crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]));
  const sign = async (text: string): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign("HMAC", await key(), encoder.encode(text)));
  const bindingOf = async (ctx: ServerContext): Promise<string | undefined> =>
    bind && toBase64Url((await sign(`binding of a request state:${bind(ctx)}`)).slice(0, 16));
  return {
    async mint(payload, ctx) {
      if (bind && !ctx)
        throw new TypeError("createRequestStateCodec: mint() requires ctx when a bind callback is configured");
      const b = ctx && (await bindingOf(ctx));
      const envelope: Envelope = {
        p: payload,
        exp: Math.floor(Date.now() / 1_000) + ttlSeconds,
        ...(b !== undefined && { b }),
      };
      const signed = prefix + toBase64Url(encoder.encode(JSON.stringify(envelope)));
      return `${signed}.${toBase64Url(await sign(signed))}`;
    },
    async verify(state, ctx) {
      const dot = state.lastIndexOf(".");
      const signed = state.slice(0, dot);
      const mac = fromBase64Url(state.slice(dot + 1));
      if (!signed.startsWith(prefix) || !mac) throw new Error("malformed");
      if (!(await crypto.subtle.verify("HMAC", await key(), mac, encoder.encode(signed)))) throw new Error("mac");
      const envelope = JSON.parse(new TextDecoder().decode(fromBase64Url(signed.slice(prefix.length)))) as Envelope;
      if (envelope.exp < Math.floor(Date.now() / 1_000)) throw new Error("expired");
      if (envelope.b !== (await bindingOf(ctx))) throw new Error("bind");
      return envelope.p as T;
    },
  };
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
