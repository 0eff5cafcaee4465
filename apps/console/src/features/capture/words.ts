import capture from '../../words/en/capture.json';
import captureLevels from '../../words/en/captureLevels.json';
import { addWords } from '../../words/index.ts';

addWords({ capture, captureLevels });
