import { UsageError } from "./usage-error.js";

/** Checks the seconds of `--timeout`. @throws UsageError */
export function checkTimeout(seconds: number | undefined): void {
  if (seconds !== undefined && !(seconds > 0 && seconds <= 86_400))
    throw new UsageError("--timeout must be a positive number of seconds, at most 86400.");
}
