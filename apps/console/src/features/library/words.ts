import words from '../../words/en/library.json';
import { addWords } from '../../words/index.ts';

addWords({ library: words });
