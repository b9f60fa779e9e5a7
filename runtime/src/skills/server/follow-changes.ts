import { reportTo } from "../../connection/error-reporting.js";
import type { ServerHost } from "../../server/server-extension.js";
import type { SkillSource } from "./skill-source.js";

/** Refers to a server without keeping it alive. */
type ServerReference = Pick<WeakRef<ServerHost>, "deref">;

/** Ends the subscriptions of servers that nothing else holds any more. Some hosts have neither this nor weak references. */
const abandoned =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : /* @__PURE__ */ new FinalizationRegistry<() => void>((unsubscribe) => unsubscribe());

/**
 * Notifies the clients of a server of changes of its skills, until the server closes, and again when it connects again. The source may
 * be that of many servers, and does not keep them alive: one server per client need not be closed.
 */
export function followChanges(server: ServerHost, source: SkillSource): void {
  if (!source.subscribe) return;
  const { onClose, onConnect } = server;
  const reference = referTo(server);
  let unsubscribe: (() => void) | undefined;
  const start = (): void => {
    if (unsubscribe) return;
    unsubscribe = subscribe(source, reference);
    if (unsubscribe) abandoned?.register(server, unsubscribe, reference);
  };
  start();
  const hooks: Required<Pick<ServerHost, "onClose" | "onConnect">> = {
    onConnect() {
      onConnect?.();
      start();
    },
    async onClose(graceMs) {
      abandoned?.unregister(reference);
      unsubscribe?.();
      unsubscribe = undefined;
      await onClose?.(graceMs);
    },
  };
  Object.assign(server, hooks);
}

/** Functions of one scope keep alive what any of them uses: this one must not have the server in its scope. */
function subscribe(source: SkillSource, reference: ServerReference): (() => void) | undefined {
  return source.subscribe?.(
    ({ updated, listChanged }) => {
      const server = reference.deref();
      if (listChanged) server?.notifyChanged({ kind: "resources" });
      for (const uri of updated) server?.notifyChanged({ kind: "resources", uri });
    },
    (error) => {
      const server = reference.deref();
      if (server) reportTo(server.options, error);
    },
  );
}

function referTo(server: ServerHost): ServerReference {
  return typeof WeakRef === "undefined" ? { deref: () => server } : new WeakRef(server);
}
