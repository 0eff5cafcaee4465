import words from '../../words/en/overview.json';
import { addWords } from '../../words/index.ts';

addWords({ overview: words });
