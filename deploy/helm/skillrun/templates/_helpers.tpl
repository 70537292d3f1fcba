{{- define "skillrun.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* A value as text: numbers of values.yaml are floating ones, of which Go writes ten million as 1e+07. */}}
{{- define "skillrun.text" -}}
{{- if kindIs "string" . -}}{{ . }}{{- else -}}{{ toJson . }}{{- end -}}
{{- end -}}

{{- define "skillrun.labels" -}}
app.kubernetes.io/name: skillrun
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Of one role: a list of the context and the role. */}}
{{- define "skillrun.selector" -}}
{{- $context := index . 0 -}}
app.kubernetes.io/name: skillrun
app.kubernetes.io/instance: {{ $context.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "skillrun.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{ .Values.publicUrl }}
{{- else if and .Values.ingress.enabled .Values.ingress.hosts -}}
https://{{ first .Values.ingress.hosts }}
{{- end -}}
{{- end -}}

{{/* The pods of a role: a list of the context, the role, its values and its port. */}}
{{- define "skillrun.pods" -}}
{{- $context := index . 0 -}}
{{- $role := index . 1 -}}
{{- $own := index . 2 -}}
{{- $port := index . 3 -}}
metadata:
  labels:
    {{- include "skillrun.selector" (list $context $role) | nindent 4 }}
  annotations:
    prometheus.io/scrape: "true"
    prometheus.io/port: {{ $port | quote }}
    {{- with $context.Values.config }}
    checksum/config: {{ toJson . | sha256sum }}
    {{- end }}
spec:
  terminationGracePeriodSeconds: 25
  automountServiceAccountToken: false
  {{- with $context.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    {{- with $context.Values.sandbox.seccompProfile }}
    seccompProfile:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with $context.Values.sandbox.appArmorProfile }}
    appArmorProfile:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  containers:
    - name: {{ $role }}
      image: "{{ $context.Values.image.repository }}:{{ $context.Values.image.tag | default $context.Chart.AppVersion }}"
      imagePullPolicy: {{ $context.Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      envFrom:
        - secretRef:
            name: {{ $context.Values.existingSecret | quote }}
      env:
        - name: SKILLRUN_ROLE
          value: {{ $role }}
        {{- if eq $role "worker" }}
        - name: SKILLRUN_WORKER_PORT
          value: {{ $port | quote }}
        - name: SKILLRUN_SLOTS
          value: {{ $own.slots | quote }}
        {{- else }}
        - name: PORT
          value: {{ $port | quote }}
        {{- end }}
        {{- with include "skillrun.publicUrl" $context }}
        - name: SKILLRUN_PUBLIC_URL
          value: {{ . | quote }}
        {{- end }}
        {{- if $context.Values.config }}
        - name: SKILLRUN_CONFIG
          value: /etc/skillrun/config.json
        {{- end }}
        {{- range $name, $value := $context.Values.env }}
        - name: {{ $name }}
          value: {{ include "skillrun.text" $value | quote }}
        {{- end }}
      ports:
        - name: http
          containerPort: {{ $port }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
      resources:
        {{- toYaml $own.resources | nindent 8 }}
      volumeMounts:
        - { name: scratch, mountPath: /data, subPath: data }
        - { name: scratch, mountPath: /tmp, subPath: tmp }
        {{- if $context.Values.config }}
        - { name: config, mountPath: /etc/skillrun, readOnly: true }
        {{- end }}
  volumes:
    - name: scratch
      emptyDir: {}
    {{- if $context.Values.config }}
    - name: config
      configMap:
        name: {{ include "skillrun.name" $context }}
    {{- end }}
  {{- with $own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* A pod that runs one command and ends: a list of the context, its name, the command's words as JSON strings with commas, and its resources. */}}
{{- define "skillrun.command" -}}
{{- $context := index . 0 -}}
{{- $name := index . 1 -}}
metadata:
  labels:
    {{- include "skillrun.selector" (list $context $name) | nindent 4 }}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  {{- with $context.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: {{ $name }}
      image: "{{ $context.Values.image.repository }}:{{ $context.Values.image.tag | default $context.Chart.AppVersion }}"
      imagePullPolicy: {{ $context.Values.image.pullPolicy }}
      command: [node, packages/cli/skillrun.mjs, {{ index . 2 }}]
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      envFrom:
        - secretRef:
            name: {{ $context.Values.existingSecret | quote }}
      {{- with $context.Values.env }}
      env:
        {{- range $name, $value := . }}
        - name: {{ $name }}
          value: {{ include "skillrun.text" $value | quote }}
        {{- end }}
      {{- end }}
      resources:
        {{- toYaml (index . 3) | nindent 8 }}
      volumeMounts:
        - { name: scratch, mountPath: /data, subPath: data }
        - { name: scratch, mountPath: /tmp, subPath: tmp }
  volumes:
    - name: scratch
      emptyDir: {}
  {{- with $context.Values.api.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $context.Values.api.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
