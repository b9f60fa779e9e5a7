import { StoreError } from "../jsonrpc/store-error.js";

/** Why a backplane failed. */
export type BackplaneFailure =
  /** It cannot be reached, or did not respond in time. Whether a change happened is not known. */
  | "unavailable"
  /** It has no room for the value or entry. */
  | "full"
  /** The text is longer than the backplane accepts. */
  | "too-large"
  /** Other nodes changed the value again and again while this one tried to change it. */
  | "conflict"
  /** What it contains under this name was not written by this library, or by a version that this one cannot read. */
  | "unreadable";

/** A backplane failed. Unless the reason is `unavailable`, the call that failed changed nothing. */
export class BackplaneError extends StoreError<BackplaneFailure> {
  override readonly name = "BackplaneError";
}

/** Creates the error for a value that other nodes changed during each attempt of this one. @param subject describes the value */
export function conflictError(subject: string): (attempts: number) => BackplaneError {
  return (attempts) =>
    new BackplaneError(
      "conflict",
      `${subject} was not changed: other nodes changed it during each of ${attempts} attempts`,
    );
}
