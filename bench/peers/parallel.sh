#!/bin/bash
# The peer: GNU parallel keeps two jobs running. Each orders a brief with curl, gets it every POLL_SECONDS until it has
# ended, and keeps its text. --joblog and --resume leave out the jobs that had ended before.
brief() {
	api() { curl --silent --fail --retry 1000 --header "Authorization: Bearer $CREATOR_BRIEFING_API_KEY" "$@"; }
	body=$(jq --null-input --arg name "$1" '{product_name: $name}')
	id=$(api --json "$body" "$CREATOR_BRIEFING_BASE_URL/briefs" | jq --raw-output .id)
	status=queued
	while [ "$status" != ready ] && [ "$status" != failed ]; do
		sleep "$POLL_SECONDS"
		answer=$(api "$CREATOR_BRIEFING_BASE_URL/briefs/$id")
		status=$(jq --raw-output .status <<< "$answer")
	done
	jq --raw-output .markdown <<< "$answer" > "$1.md"
}
export -f brief
tail --lines=+2 products.csv | parallel --jobs 2 --joblog jobs.tsv --resume brief
