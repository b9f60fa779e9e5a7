import type { TaskStatus } from "../../runtime/src/tasks/task-record.js";
import type { Principal } from "../../runtime/src/transport/principal.js";

/** What a process with a store reports, after the call has resolved. */
export type Line =
  | { readonly created: string; readonly owner: Principal | null }
  | { readonly ended: string; readonly status: TaskStatus };
