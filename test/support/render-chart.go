// Renders a Helm chart as `helm template` does, with what Helm consists of: Go's templates, sprig, and YAML by way of JSON.
//
//	render CHART RELEASE [VALUES.yaml …]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func main() {
	chart, release := os.Args[1], os.Args[2]
	values := read(filepath.Join(chart, "values.yaml"))
	for _, path := range os.Args[3:] {
		values = merge(values, read(path))
	}
	about := read(filepath.Join(chart, "Chart.yaml"))
	context := object{
		"Values":  values,
		"Release": object{"Name": release, "Namespace": "default", "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Chart":   object{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
	}

	// A missing value renders as nothing, as in Helm, which sets this option and removes the rest.
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out strings.Builder
		check(all.ExecuteTemplate(&out, name, context))
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		if strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "---")))
		}
	}
}

func functions(all *template.Template) template.FuncMap {
	named := sprig.TxtFuncMap()
	delete(named, "env")
	delete(named, "expandenv")
	named["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	named["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	named["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	named["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	return named
}

func read(path string) object {
	text, err := os.ReadFile(path)
	check(err)
	values := object{}
	check(yaml.Unmarshal(text, &values))
	return values
}

// Objects are merged, everything else is replaced, and null takes a default away.
func merge(values, over object) object {
	for key, value := range over {
		from, isObject := values[key].(object)
		into, canMerge := value.(object)
		switch {
		case value == nil:
			delete(values, key)
		case isObject && canMerge:
			values[key] = merge(from, into)
		default:
			values[key] = value
		}
	}
	return values
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
