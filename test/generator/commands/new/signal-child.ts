import { createProject } from "../../../../generator/commands/new/create-project.js";
import type { Disk } from "../../../../generator/shared/files/disk.js";
import { watchedDisk } from "../../shared/files/broken-disk.js";
import { stdioServer } from "./project-options.js";

const [, , folder = "", signal = "", call = "", at = ""] = process.argv;
const disk = watchedDisk([call as keyof Disk], (number) => {
  if (number === Number(at)) process.kill(process.pid, signal);
});
await createProject({ folder, project: stdioServer, disk });
