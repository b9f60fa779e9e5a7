import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Random } from "../../soak/random.js";

const tagLength = 16;

interface AesGcm {
  readonly iv: Uint8Array;
  readonly additionalData: Uint8Array;
}

/**
 * What the runtime uses of WebCrypto, with random numbers of a simulation. The results are the same, but they are there at once: WebCrypto
 * works in other threads, which finish in any order.
 */
export function seededCrypto(random: Random): Readonly<Record<string, unknown>> {
  const getRandomValues = (bytes: Uint8Array): Uint8Array => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = random.between(0, 255);
    return bytes;
  };
  return { getRandomValues, randomUUID: () => randomUuid(random), subtle: synchronousSubtle };
}

function randomUuid(random: Random): string {
  const hex = (length: number): string =>
    random
      .between(0, 16 ** length - 1)
      .toString(16)
      .padStart(length, "0");
  const variant = random.between(8, 11).toString(16);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`;
}

const synchronousSubtle = {
  digest: (algorithm: string, data: Uint8Array): Promise<ArrayBuffer> =>
    Promise.resolve(toArrayBuffer(createHash(algorithm.replace("-", "").toLowerCase()).update(data).digest())),

  /** The key is its bytes. */
  importKey: (_format: string, bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(bytes),

  encrypt: ({ iv, additionalData }: AesGcm, key: Uint8Array, plain: Uint8Array): Promise<ArrayBuffer> => {
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(additionalData);
    return Promise.resolve(toArrayBuffer(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])));
  },

  decrypt: (params: AesGcm, key: Uint8Array, sealed: Uint8Array): Promise<ArrayBuffer> =>
    new Promise((resolve) => resolve(opened(params, key, sealed))),
};

/** @throws Error when the data was changed */
function opened({ iv, additionalData }: AesGcm, key: Uint8Array, sealed: Uint8Array): ArrayBuffer {
  const end = sealed.length - tagLength;
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(additionalData).setAuthTag(sealed.subarray(end));
  return toArrayBuffer(Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]));
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
