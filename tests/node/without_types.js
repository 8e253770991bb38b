// A module of the application as browsers read it: without its types. It prints the file that it is called with.

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

process.stdout.write(stripTypeScriptTypes(readFileSync(process.argv[2], 'utf-8')));
