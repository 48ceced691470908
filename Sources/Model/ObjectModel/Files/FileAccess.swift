package import Glibc

/// Whom a file or folder belongs to, and who may read and write it.
package struct FileAccess: Hashable, Sendable {
  /// The user.
  package var owner: uid_t
  /// The group.
  package var group: gid_t
  /// The nine bits of the mode for the user, the group and all others.
  package var mode: mode_t

  /// The access of an existing file.
  package init(_ status: stat) {
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
  }

  /// The access of a folder in which a file with this access can be found by those who may read it.
  package var ofFolder: FileAccess {
    var folder = self
    folder.mode |= (mode & 0o444) >> 2 | (mode & 0o222) >> 1
    return folder
  }

  /// Gives an open file this access; nobody ever has more.
  ///
  /// Only root can give files away. Where the group cannot be given either, the group of the file,
  /// another one, gets no access.
  ///
  /// - Returns: False, with `errno`, if the system does not allow the mode.
  package func apply(to descriptor: Int32) -> Bool {
    _ = fchown(descriptor, owner, group) == 0 || fchown(descriptor, uid_t.max, group) == 0
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let wanted = status.st_gid == group ? mode : mode & ~0o070
    // A file system without owners refuses any change, also of what is right.
    return status.st_mode & 0o777 == wanted || fchmod(descriptor, wanted) == 0
  }

  /// Whether an open file has an access control list, which says more than its mode.
  static func hasList(_ descriptor: Int32) -> Bool {
    // A function that Swift does not import.
    typealias Attribute =
      @convention(c) (
        Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
      ) -> Int
    guard let fgetxattr = dlsym(nil, "fgetxattr").map({ unsafeBitCast($0, to: Attribute.self) })
    else { return false }
    return fgetxattr(descriptor, "system.posix_acl_access", nil, 0) > 0
  }
}
