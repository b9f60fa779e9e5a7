import { AuthorizationError } from "../auth.js";

/** Converts an error of the file system to one that says what could not be done, where, and what to do. */
export function storeFailure(what: string, path: string, error: unknown): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const remedy = remedies[code ?? ""] ?? message;
  return new AuthorizationError("store-failed", `cannot ${what} ${path}: ${remedy}`, {}, { cause: error });
}

/** Whether the error has one of the codes of Node. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}

const noAccess = "permission denied; check the owner and the permissions of the folder and the file";
const partIsFile = "a part of the path is a file; choose another path";
const full = "the disk or the quota is full; free some space. The stored credentials are unchanged";

const remedies: Readonly<Record<string, string>> = {
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: "the file system is read-only; choose a path that can be written",
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  ENOTDIR: partIsFile,
  // From `mkdir`.
  EEXIST: partIsFile,
  EISDIR: "it is a folder; choose the path of a file",
  ELOOP: "its symbolic links form a circle",
};
