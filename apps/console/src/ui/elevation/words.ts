import elevation from '../../words/en/elevation.json';
import freezes from '../../words/en/freezes.json';
import { addWords } from '../../words/index.ts';

addWords({ elevation, freezes });
