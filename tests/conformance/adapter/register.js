// For `node --import`: lets scene files import "pull-the-plug".

import { register } from "node:module";

register("./resolve.js", import.meta.url);
