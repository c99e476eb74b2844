/** A text that should have been replaced by a value: $NAME, ${NAME}, ${{ secrets.NAME }}, %NAME%, <name>, "…". */
export const PLACEHOLDER = /^(\$[a-z_][\w.]*|\$\{{1,2} ?[\w.]+ ?\}{0,2}|%\w+%|<[^<>]*>|[.…]+)$/i;
