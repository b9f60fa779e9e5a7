import type { TaskStatus } from "../../runtime/src/tasks/task-record.js";
import type { Principal } from "../../runtime/src/transport/principal.js";

/** What a process reports, after the call has resolved. */
export type Line =
  | { readonly ready: true }
  | { readonly created: string; readonly owner: Principal | null; readonly restartable: boolean }
  | { readonly claimed: string; readonly attempt: number }
  | { readonly ended: string; readonly status: TaskStatus };
