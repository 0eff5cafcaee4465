{{- define "json" -}}
{{- $type := printf "%T" . -}}
{{- if eq $type "string" -}}{{ printf "%q" . }}
{{- else if eq $type "map[string]interface {}" -}}{ {{- range $key, $value := . }}{{ printf "%q" $key }}: {{ template "json" $value }}, {{ end -}} }
{{- else if eq $type "[]interface {}" -}}[ {{- range . }}{{ template "json" . }}, {{ end -}} ]
{{- else -}}{{ printf "%v" . }}{{- end -}}
{{- end -}}
