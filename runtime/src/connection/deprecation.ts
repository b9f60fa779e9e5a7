import { SdkError, type SdkErrorCode } from "../jsonrpc/errors.js";
import { reportTo } from "./error-reporting.js";

export interface Listener {
  readonly onerror?: ((error: Error) => void) | undefined;
}

const reported = /* @__PURE__ */ new Set<string>();

/**
 * Reports the use of a deprecated feature to `onerror`: once per process, because each use has the same remedy.
 * @param instead what to use; undefined if the feature is not deprecated
 */
export function reportDeprecated(listener: Listener, feature: string, instead: string | undefined): void {
  if (instead !== undefined) reportOnce(listener, feature, "DEPRECATED", `${feature} is deprecated. ${instead}`);
}

/** @param subject errors with the same subject are reported once per process; peers must not choose it */
export function reportOnce({ onerror }: Listener, subject: string, code: SdkErrorCode, message: string): void {
  if (!onerror || reported.has(subject)) return;
  reported.add(subject);
  reportTo({ onerror }, new SdkError(code, message));
}
