package measure

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Machine is what the figures depend on.
type Machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	// Flags are those of the processor that bear on the figures.
	Flags   []string `json:"flags"`
	Kernel  string   `json:"kernel"`
	Go      string   `json:"go"`
	GOAMD64 string   `json:"goamd64,omitempty"`
	// Load is the load average of one minute when the run began.
	Load string `json:"load"`
}

// telling are the flags that decide how bits are counted and moved.
var telling = []string{"popcnt", "bmi1", "bmi2", "avx2", "avx512f", "avx512_bitalg", "avx512_vpopcntdq"}

// ThisMachine reads what the kernel tells; what it does not tell stays empty.
func ThisMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), Kernel: strings.TrimSpace(read("/proc/sys/kernel/osrelease")), Go: runtime.Version()}
	for line := range strings.Lines(read("/proc/cpuinfo")) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "model name":
			m.Processor = strings.TrimSpace(value)
		case "flags":
			m.Flags = slices.DeleteFunc(strings.Fields(value), func(flag string) bool { return !slices.Contains(telling, flag) })
		}
	}
	m.Load, _, _ = strings.Cut(read("/proc/loadavg"), " ")
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" {
				m.GOAMD64 = s.Value
			}
		}
	}
	return m
}

func read(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}
