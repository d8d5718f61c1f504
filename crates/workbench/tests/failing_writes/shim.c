/* Loaded into a program (LD_PRELOAD), lets one of its operations on regular files fail: the one with
 * the number in FAIL_AT, counted from 1. Creates the file FAIL_MARK then. A failed write has written
 * half of its bytes, as on a disk that becomes full. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Whether the operation fails: in this call, or in the next one, after half of the bytes. */
enum outcome { SUCCESS, FAILURE, HALF };

static enum outcome next(int can_be_partial) {
    static atomic_long count;
    static atomic_int is_torn;
    const char *at = getenv("FAIL_AT"), *mark = getenv("FAIL_MARK");
    if (atomic_exchange(&is_torn, 0)) return FAILURE;
    if (!at || atomic_fetch_add(&count, 1) + 1 != atol(at)) return SUCCESS;
    if (mark) {
        long fd = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (fd >= 0) syscall(SYS_close, fd);
    }
    atomic_store(&is_torn, can_be_partial);
    return can_be_partial ? HALF : FAILURE;
}

static int is_regular(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static int fail(int error) {
    errno = error;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    if (is_regular(fd)) {
        switch (next(length > 1)) {
            case FAILURE: return fail(ENOSPC);
            case HALF: length /= 2; break;
            case SUCCESS: break;
        }
    }
    return syscall(SYS_write, fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (is_regular(fd) && next(0) != SUCCESS) return fail(ENOSPC);
    return syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    if (is_regular(fd)) {
        switch (next(length > 1)) {
            case FAILURE: return fail(ENOSPC);
            case HALF: length /= 2; break;
            case SUCCESS: break;
        }
    }
    return syscall(SYS_pwrite64, fd, bytes, length, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return pwrite64(fd, bytes, length, at);
}

int ftruncate64(int fd, off64_t length) {
    if (is_regular(fd) && next(0) != SUCCESS) return fail(EIO);
    return syscall(SYS_ftruncate, fd, length);
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int fsync(int fd) {
    if (is_regular(fd) && next(0) != SUCCESS) return fail(EIO);
    return syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    if (is_regular(fd) && next(0) != SUCCESS) return fail(EIO);
    return syscall(SYS_fdatasync, fd);
}

int rename(const char *from, const char *to) {
    if (next(0) != SUCCESS) return fail(EIO);
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
