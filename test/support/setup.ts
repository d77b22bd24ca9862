import { closeAfterFile } from './later.ts';

closeAfterFile();
