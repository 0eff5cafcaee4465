import words from '../../words/en/settings.json';
import { addWords } from '../../words/index.ts';

addWords({ settings: words });
