//go:build !seededbugs

package endings

// sown says whether a bug is alive that is sown on purpose; without the build tag
// seededbugs none is, and the compiler removes them.
func sown(seed) bool { return false }
