import { open, type FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { AuthorizationError } from "../auth.js";
import { storeFailure } from "./store-failure.js";

/** Tokens of workloads have a few KiB. */
const maxBytes = 65_536;

/**
 * Returns a function that reads a workload's token, such as the projected service-account token of Kubernetes, from a file. The
 * file is read anew each time, because the platform replaces the token before it expires.
 * @returns rejects with an AuthorizationError, `store-failed`, when the file cannot be read, is empty, or contains no token
 * @example
 * ```ts
 * const assertion = assertionFromFile("/var/run/secrets/tokens/mcp");
 * ```
 */
export function assertionFromFile(path: string): () => Promise<string> {
  const absolute = resolve(path);
  return async () => {
    const text = (await readStart(absolute)).trim();
    // The message must not quote the content.
    if (!/^[\w.~+/=-]+$/.test(text))
      throw new AuthorizationError(
        "store-failed",
        `${absolute} ${text === "" ? "is empty" : "contains something else than one token"}; it must contain the token of the workload`,
      );
    return text;
  };
}

async function readStart(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let isOpen = true; isOpen && length < buffer.length;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      isOpen = bytesRead > 0;
    }
    if (length > maxBytes)
      throw new AuthorizationError("store-failed", `${path} is larger than ${maxBytes} bytes; it cannot be a token`);
    return buffer.toString("utf8", 0, length);
  } catch (error) {
    throw storeFailure("read", path, error);
  } finally {
    await file?.close();
  }
}
