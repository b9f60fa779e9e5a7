import { SdkError } from "../jsonrpc/errors.js";
import { reportTo } from "./error-reporting.js";

interface Listener {
  readonly onerror?: ((error: Error) => void) | undefined;
}

const reported = /* @__PURE__ */ new Set<string>();

/**
 * Reports the use of a deprecated feature to `onerror`: once per process, because each use has the same remedy.
 * @param instead what to use; undefined if the feature is not deprecated
 */
export function reportDeprecated({ onerror }: Listener, feature: string, instead: string | undefined): void {
  if (instead === undefined || !onerror || reported.has(feature)) return;
  reported.add(feature);
  reportTo({ onerror }, new SdkError("DEPRECATED", `${feature} is deprecated. ${instead}`));
}
