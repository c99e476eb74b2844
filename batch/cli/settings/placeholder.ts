/** A text in whose place a value should stand, as a whole: $NAME, ${NAME}, ${{ secrets.NAME }}, %NAME%, <name>, "…". */
export const PLACEHOLDER = /^(\$[a-z_][\w.]*|\$\{{1,2} ?[\w.]+ ?\}{0,2}|%\w+%|<[^<>]*>|[.…]+)$/i;
