import { newSkeleton } from "../../../generator/new/new-skeleton.js";
import type { Disk } from "../../../generator/write/disk.js";
import { watchedDisk } from "../write/broken-disk.js";
import { stdioServer } from "./skeletons.js";

const [, , folder = "", signal = "", call = "", at = ""] = process.argv;
const disk = watchedDisk([call as keyof Disk], (number) => {
  if (number === Number(at)) process.kill(process.pid, signal);
});
await newSkeleton({ folder, skeleton: stdioServer, disk });
