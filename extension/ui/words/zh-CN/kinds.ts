/** Chinese has no capitals, so lists and line heads share these. */
export const kinds = {
  read: '读取',
  navigate: '打开页面',
  input: '输入和点击',
  submit: '提交表单',
  download: '下载',
  upload: '上传',
  dialog: '回答对话框',
  evaluate: '脚本',
  capture_network: '记录请求',
  crawl: '爬取',
  borrow_tab: '借用你的标签页',
  list_tabs: '列出你的标签页',
  read_history: '搜索你的浏览历史',
  show_tab: '把标签页切换到前台',
  use_container: '在你的容器中打开标签页',
  carry_text: '其他网站的文字',
};
