import { newSkeleton } from "../../../../generator/commands/new/new-skeleton.js";
import type { Disk } from "../../../../generator/shared/files/disk.js";
import { watchedDisk } from "../../shared/files/broken-disk.js";
import { stdioServer } from "./skeletons.js";

const [, , folder = "", signal = "", call = "", at = ""] = process.argv;
const disk = watchedDisk([call as keyof Disk], (number) => {
  if (number === Number(at)) process.kill(process.pid, signal);
});
await newSkeleton({ folder, skeleton: stdioServer, disk });
