import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** More would only serve to make decompression expensive. */
const maxCodings = 3;

/** Servers may cut off the end of a compressed body, as browsers accept it. */
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** What this module decompresses, for `accept-encoding`. */
export const acceptedCodings = "gzip, deflate, br";

/**
 * Returns the body of a message without its content codings; undefined when it has a coding that is not known. Data is
 * decompressed as it is read, so the reader decides how much.
 */
export async function decodeBody(message: IncomingMessage): Promise<Readable | undefined> {
  const codings = (message.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0) return message;
  if (codings.length > maxCodings || !codings.every((coding) => coding in decoders)) return undefined;
  let body: Readable = message;
  for (const coding of codings.reverse()) {
    const decoder = await decoders[coding as keyof typeof decoders](body);
    // The reader gets the error of each part from the last one.
    body = decoder ? pipeline(body, decoder, () => undefined) : body;
  }
  return body;
}

type Decoder = (body: Readable) => Transform | undefined | Promise<Transform | undefined>;

const decoders = {
  gzip: () => createGunzip(zlibOptions),
  "x-gzip": () => createGunzip(zlibOptions),
  br: () => createBrotliDecompress(brotliOptions),
  deflate: async (body) => {
    const first = await firstByte(body);
    if (first === undefined) return undefined;
    // Some servers leave out the header of zlib, whose first byte has 8 in its low bits (RFC 1950, section 2.2).
    return (first & 0x0f) === 8 ? createInflate(zlibOptions) : createInflateRaw(zlibOptions);
  },
} satisfies Readonly<Record<string, Decoder>>;

/** Returns the first byte of a stream and leaves it there; undefined for an empty stream. */
async function firstByte(body: Readable): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      const chunk = body.read() as Buffer | null;
      if (chunk === null && !body.readableEnded && !body.destroyed) return;
      body.off("readable", settle).off("end", settle).off("error", reject);
      if (chunk !== null) body.unshift(chunk);
      resolve(chunk?.[0]);
    };
    body.on("readable", settle).on("end", settle).on("error", reject);
  });
}
