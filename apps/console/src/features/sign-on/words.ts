import words from '../../words/en/signOn.json';
import { addWords } from '../../words/index.ts';

addWords({ signOn: words });
